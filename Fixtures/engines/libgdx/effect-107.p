effect107
- Delay - 
active: false
- Duration - 
lowMin: 2137.0728
lowMax: 2137.0728
- Count - 
min: 2
max: 120
- Emission - 
lowMin: 39.9496
lowMax: 39.9496
highMin: 70.0277
highMax: 70.0277
relative: false
scalingCount: 4
scaling0: 0.153
scaling1: 1.0
scaling2: 0.0
scaling3: 0.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.207
timeline2: 0.848
timeline3: 1.0
- Life - 
lowMin: 138.026
lowMax: 146.104
highMin: 1200.5081
highMax: 1200.5081
relative: false
scalingCount: 5
scaling0: 0.983
scaling1: 0.0
scaling2: 0.234
scaling3: 1.0
scaling4: 0.906
timelineCount: 5
timeline0: 0.0
timeline1: 0.065
timeline2: 0.81
timeline3: 0.921
timeline4: 1.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: -14.2759
lowMax: -14.2759
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: ellipse
edges: true
side: top
- Spawn Width - 
lowMin: 46.9511
lowMax: 48.8165
highMin: 67.8297
highMax: 67.8297
relative: false
scalingCount: 4
scaling0: 0.879
scaling1: 0.0
scaling2: 1.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.272
timeline2: 0.398
timeline3: 0.864
- Spawn Height - 
lowMin: 8.2251
lowMax: 8.2251
highMin: 158.7812
highMax: 158.7812
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- X Scale - 
lowMin: 12.1883
lowMax: 12.1883
highMin: 18.776
highMax: 90.2645
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 0.0
scaling2: 0.0
scaling3: 0.061
timelineCount: 4
timeline0: 0.0
timeline1: 0.255
timeline2: 0.347
timeline3: 1.0
- Y Scale - 
active: true
lowMin: 11.9017
lowMax: 11.9017
highMin: 66.6378
highMax: 72.8123
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Velocity - 
active: false
- Angle - 
active: true
lowMin: -144.7021
lowMax: -50.245
highMin: 12.8944
highMax: 12.8944
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.0
scaling4: 0.039
timelineCount: 5
timeline0: 0.0
timeline1: 0.34
timeline2: 0.379
timeline3: 0.458
timeline4: 1.0
- Rotation - 
active: true
lowMin: 52.3758
lowMax: 52.3758
highMin: -162.5862
highMax: -162.5862
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Wind - 
active: true
lowMin: 26.2769
lowMax: 26.2769
highMin: -8.4335
highMax: -8.4335
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.198
colors1: 0.4637
colors2: 0.4796
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.4075
lowMax: 0.4075
highMin: 0.7
highMax: 0.7
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: true
continuous: true
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


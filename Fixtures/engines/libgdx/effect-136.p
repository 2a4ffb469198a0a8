effect136
- Delay - 
active: false
- Duration - 
lowMin: 1921.6871
lowMax: 1999.0067
- Count - 
min: 0
max: 30
- Emission - 
lowMin: 39.8055
lowMax: 39.8055
highMin: 22.5587
highMax: 44.5242
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.0
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.05
timeline2: 0.497
timeline3: 0.712
timeline4: 0.842
- Life - 
lowMin: 787.3664
lowMax: 787.3664
highMin: 1929.0666
highMax: 1929.0666
relative: false
scalingCount: 2
scaling0: 0.588
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.723
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: 15.7472
lowMax: 55.8591
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: line
- Spawn Width - 
lowMin: 24.9735
lowMax: 24.9735
highMin: 138.6096
highMax: 138.6096
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 55.3859
lowMax: 56.1783
highMin: 94.2879
highMax: 94.2879
relative: false
scalingCount: 1
scaling0: 0.745
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 20.3952
lowMax: 20.3952
highMin: 5.7672
highMax: 36.7681
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 1.0
scaling2: 0.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.097
timeline2: 0.503
timeline3: 1.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 53.4899
lowMax: 53.4899
highMin: 3.7655
highMax: 107.4643
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 320.318
lowMax: 320.318
highMin: 63.0977
highMax: 309.7644
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: true
lowMin: 8.2117
lowMax: 8.2117
highMin: -28.2621
highMax: 101.3168
relative: true
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Tint - 
colorsCount: 3
colors0: 0.7707
colors1: 0.2172
colors2: 0.0915
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.9449
lowMax: 0.9449
highMin: 0.4219
highMax: 0.4401
relative: false
scalingCount: 1
scaling0: 0.952
timelineCount: 1
timeline0: 0.0
- Options - 
attached: false
continuous: true
aligned: false
additive: false
behind: false
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png


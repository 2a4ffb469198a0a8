effect125
- Delay - 
active: true
lowMin: 646.4374
lowMax: 646.4374
- Duration - 
lowMin: 3053.8492
lowMax: 3053.8492
- Count - 
min: 15
max: 300
- Emission - 
lowMin: 25.2739
lowMax: 25.3054
highMin: 122.6885
highMax: 122.6885
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 440.9171
lowMax: 440.9579
highMin: 573.0068
highMax: 573.0068
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.785
scaling2: 1.0
scaling3: 0.465
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.047
timeline2: 0.599
timeline3: 0.702
timeline4: 0.717
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: false
- Spawn Shape - 
shape: ellipse
edges: false
side: bottom
- Spawn Width - 
lowMin: 57.9056
lowMax: 57.9056
highMin: 135.1923
highMax: 135.1923
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 0.451
scaling2: 0.421
scaling3: 0.292
timelineCount: 4
timeline0: 0.0
timeline1: 0.066
timeline2: 0.09
timeline3: 1.0
- Spawn Height - 
lowMin: 14.8417
lowMax: 14.8417
highMin: 63.7182
highMax: 63.7182
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 29.5504
lowMax: 29.5504
highMin: 48.7615
highMax: 48.7615
relative: false
scalingCount: 4
scaling0: 0.411
scaling1: 0.0
scaling2: 0.0
scaling3: 0.455
timelineCount: 4
timeline0: 0.0
timeline1: 0.545
timeline2: 0.778
timeline3: 1.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 4.5143
lowMax: 30.5891
highMin: 6.7247
highMax: 33.1777
relative: false
scalingCount: 1
scaling0: 0.411
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 102.0794
lowMax: 102.0794
highMin: 42.2025
highMax: 297.6912
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: true
lowMin: -173.1863
lowMax: -173.1863
highMin: -141.6023
highMax: 116.6291
relative: false
scalingCount: 1
scaling0: 0.646
timelineCount: 1
timeline0: 0.0
- Wind - 
active: true
lowMin: -29.6081
lowMax: -29.6081
highMin: -78.1048
highMax: -78.1048
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.4157
colors1: 0.0637
colors2: 0.3209
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.7506
lowMax: 0.7506
highMin: 0.5068
highMax: 0.6258
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: true
continuous: false
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png
dot.png


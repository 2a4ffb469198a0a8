effect134
- Delay - 
active: true
lowMin: 787.1036
lowMax: 787.1036
- Duration - 
lowMin: 3085.9982
lowMax: 3085.9982
- Count - 
min: 2
max: 30
- Emission - 
lowMin: 4.4177
lowMax: 4.4177
highMin: 127.7265
highMax: 129.0527
relative: false
scalingCount: 1
scaling0: 0.287
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 868.5494
lowMax: 868.5494
highMin: 1890.7201
highMax: 2056.2181
relative: false
scalingCount: 5
scaling0: 0.359
scaling1: 1.0
scaling2: 0.856
scaling3: 0.953
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.371
timeline2: 0.703
timeline3: 0.858
timeline4: 1.0
- Life Offset - 
active: false
- X Offset - 
active: true
lowMin: 15.1094
lowMax: 15.6024
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Offset - 
active: true
lowMin: 23.363
lowMax: 23.363
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: point
- Spawn Width - 
lowMin: 23.5179
lowMax: 23.6558
highMin: 158.638
highMax: 161.2671
relative: false
scalingCount: 3
scaling0: 0.183
scaling1: 0.93
scaling2: 0.523
timelineCount: 3
timeline0: 0.0
timeline1: 0.092
timeline2: 1.0
- Spawn Height - 
lowMin: 6.305
lowMax: 7.6031
highMin: 101.1699
highMax: 101.1699
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 17.245
lowMax: 17.245
highMin: 4.5201
highMax: 12.433
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 33.3309
lowMax: 33.3309
highMin: -9.0544
highMax: -9.0544
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: false
- Rotation - 
active: true
lowMin: 86.9618
lowMax: 86.9618
highMin: -9.7231
highMax: 205.1556
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Wind - 
active: false
- Gravity - 
active: true
lowMin: 36.4848
lowMax: 36.4848
highMin: -240.9981
highMax: -231.7266
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Tint - 
colorsCount: 3
colors0: 0.706
colors1: 0.9917
colors2: 0.4442
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.0022
lowMax: 0.0022
highMin: 0.825
highMax: 0.825
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: false
continuous: true
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png


effect133
- Delay - 
active: false
- Duration - 
lowMin: 1619.2503
lowMax: 1619.2503
- Count - 
min: 0
max: 30
- Emission - 
lowMin: 34.9579
lowMax: 34.9579
highMin: 67.1486
highMax: 73.3189
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 893.3077
lowMax: 893.3077
highMin: 1165.6602
highMax: 1165.6602
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: false
- Spawn Shape - 
shape: line
- Spawn Width - 
lowMin: 10.8831
lowMax: 12.7584
highMin: 140.7366
highMax: 140.7366
relative: false
scalingCount: 2
scaling0: 0.422
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.937
- Spawn Height - 
lowMin: 13.9938
lowMax: 13.9938
highMin: 52.8035
highMax: 52.8035
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.856
- X Scale - 
lowMin: 0.2286
lowMax: 0.2286
highMin: 76.3658
highMax: 80.3139
relative: false
scalingCount: 3
scaling0: 0.767
scaling1: 1.0
scaling2: 0.071
timelineCount: 3
timeline0: 0.0
timeline1: 0.343
timeline2: 1.0
- Y Scale - 
active: true
lowMin: 12.1817
lowMax: 22.0347
highMin: 4.838
highMax: 93.1288
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.0
scaling2: 0.537
scaling3: 0.958
scaling4: 0.647
timelineCount: 5
timeline0: 0.0
timeline1: 0.531
timeline2: 0.579
timeline3: 0.813
timeline4: 1.0
- Velocity - 
active: true
lowMin: 23.992
lowMax: 23.992
highMin: 9.5075
highMax: 9.5075
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 228.5524
lowMax: 291.5791
highMin: -56.0065
highMax: -56.0065
relative: false
scalingCount: 1
scaling0: 0.576
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 6
colors0: 0.9421
colors1: 0.5381
colors2: 0.148
colors3: 0.3588
colors4: 0.7357
colors5: 0.339
timelineCount: 2
timeline0: 0.0
timeline1: 0.487
- Transparency - 
lowMin: 0.0334
lowMax: 0.9164
highMin: 0.3136
highMax: 0.7502
relative: false
scalingCount: 2
scaling0: 1.0
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- Options - 
attached: false
continuous: true
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


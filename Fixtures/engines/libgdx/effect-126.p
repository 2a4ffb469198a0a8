effect126
- Delay - 
active: false
- Duration - 
lowMin: 2098.6456
lowMax: 2098.6456
- Count - 
min: 0
max: 120
- Emission - 
lowMin: 36.6122
lowMax: 36.6122
highMin: 173.6908
highMax: 188.1082
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 719.9277
lowMax: 719.9277
highMin: 1410.787
highMax: 1436.2425
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: -36.5927
lowMax: 43.2703
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: ellipse
edges: false
side: bottom
- Spawn Width - 
lowMin: 52.7309
lowMax: 55.2817
highMin: 114.4539
highMax: 114.4539
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 21.4361
lowMax: 21.4361
highMin: 98.0138
highMax: 98.0138
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 12.2042
lowMax: 21.2766
highMin: 10.6356
highMax: 31.4122
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 53.7612
lowMax: 53.7612
highMin: 183.4089
highMax: 183.4089
relative: true
scalingCount: 4
scaling0: 1.0
scaling1: 0.0
scaling2: 0.0
scaling3: 0.188
timelineCount: 4
timeline0: 0.0
timeline1: 0.554
timeline2: 0.683
timeline3: 0.743
- Angle - 
active: true
lowMin: 6.2976
lowMax: 6.2976
highMin: 119.0587
highMax: 119.0587
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 0.0
scaling2: 0.0
scaling3: 0.699
timelineCount: 4
timeline0: 0.0
timeline1: 0.042
timeline2: 0.053
timeline3: 1.0
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.862
colors1: 0.1868
colors2: 0.415
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.3242
lowMax: 0.3242
highMin: 0.2969
highMax: 0.2969
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 0.0
scaling2: 0.237
timelineCount: 3
timeline0: 0.0
timeline1: 0.422
timeline2: 0.999
- Options - 
attached: true
continuous: true
aligned: true
additive: true
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


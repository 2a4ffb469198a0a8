effect103
- Delay - 
active: false
- Duration - 
lowMin: 1173.646
lowMax: 1313.269
- Count - 
min: 2
max: 30
- Emission - 
lowMin: 18.4467
lowMax: 18.4467
highMin: 172.0703
highMax: 172.0703
relative: true
scalingCount: 2
scaling0: 0.691
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.063
- Life - 
lowMin: 671.2805
lowMax: 671.2805
highMin: 1556.6927
highMax: 1556.6927
relative: false
scalingCount: 3
scaling0: 0.693
scaling1: 1.0
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.104
timeline2: 1.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: 1.5379
lowMax: 1.5379
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
side: both
- Spawn Width - 
lowMin: 50.4287
lowMax: 50.4287
highMin: 164.187
highMax: 164.187
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 42.5205
lowMax: 42.5205
highMin: 109.9874
highMax: 109.9874
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 0.543
scaling2: 0.0
scaling3: 1.0
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.193
timeline2: 0.277
timeline3: 0.783
timeline4: 1.0
- X Scale - 
lowMin: 19.0951
lowMax: 25.8513
highMin: 35.7557
highMax: 35.7557
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 56.6397
lowMax: 56.6397
highMin: 66.4587
highMax: 66.4587
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 265.3252
lowMax: 265.3252
highMin: 258.4331
highMax: 315.5954
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: true
lowMin: 33.8331
lowMax: 106.0214
highMin: -57.3823
highMax: 197.6625
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.137
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 9
colors0: 0.6931
colors1: 0.2533
colors2: 0.987
colors3: 0.0904
colors4: 0.2938
colors5: 0.3799
colors6: 0.7771
colors7: 0.2974
colors8: 0.4113
timelineCount: 3
timeline0: 0.0
timeline1: 0.599
timeline2: 0.932
- Transparency - 
lowMin: 0.4672
lowMax: 0.4672
highMin: 0.2314
highMax: 0.2314
relative: false
scalingCount: 1
scaling0: 0.672
timelineCount: 1
timeline0: 0.0
- Options - 
attached: true
continuous: false
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: random
- Image Paths -
spark.png
dot.png


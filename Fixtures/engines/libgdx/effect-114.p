effect114
- Delay - 
active: true
lowMin: 532.7409
lowMax: 532.7409
- Duration - 
lowMin: 2647.3541
lowMax: 2647.3541
- Count - 
min: 15
max: 300
- Emission - 
lowMin: 2.5459
lowMax: 2.5459
highMin: 225.4544
highMax: 225.4544
relative: true
scalingCount: 5
scaling0: 0.526
scaling1: 1.0
scaling2: 0.0
scaling3: 0.479
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.407
timeline2: 0.537
timeline3: 0.607
timeline4: 0.925
- Life - 
lowMin: 506.8348
lowMax: 506.8348
highMin: 1791.4142
highMax: 1791.4142
relative: false
scalingCount: 4
scaling0: 0.343
scaling1: 1.0
scaling2: 0.0
scaling3: 0.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.358
timeline2: 0.764
timeline3: 1.0
- Life Offset - 
active: false
- X Offset - 
active: true
lowMin: 8.3717
lowMax: 8.3717
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Offset - 
active: true
lowMin: 0.3475
lowMax: 14.6188
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
lowMin: 0.8495
lowMax: 0.8495
highMin: 196.0549
highMax: 196.0549
relative: false
scalingCount: 1
scaling0: 0.263
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 26.8661
lowMax: 26.8661
highMin: 67.748
highMax: 76.3609
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 33.6781
lowMax: 33.6781
highMin: 53.2677
highMax: 53.2677
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 0.179
scaling2: 0.406
scaling3: 0.0
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.23
timeline2: 0.546
timeline3: 0.75
timeline4: 0.806
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: -2.0685
lowMax: 56.7895
highMin: 4.58
highMax: 4.58
relative: false
scalingCount: 5
scaling0: 0.199
scaling1: 1.0
scaling2: 1.0
scaling3: 1.0
scaling4: 0.527
timelineCount: 5
timeline0: 0.0
timeline1: 0.272
timeline2: 0.463
timeline3: 0.647
timeline4: 0.939
- Angle - 
active: true
lowMin: 298.6755
lowMax: 298.6755
highMin: 172.4652
highMax: 262.388
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 0.323
scaling2: 0.259
timelineCount: 3
timeline0: 0.0
timeline1: 0.031
timeline2: 0.998
- Rotation - 
active: false
- Wind - 
active: true
lowMin: -6.239
lowMax: 14.81
highMin: -37.233
highMax: -37.233
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 6
colors0: 0.9833
colors1: 0.6796
colors2: 0.6763
colors3: 0.0042
colors4: 0.1041
colors5: 0.951
timelineCount: 2
timeline0: 0.0
timeline1: 0.317
- Transparency - 
lowMin: 0.5535
lowMax: 0.5535
highMin: 0.4456
highMax: 0.4456
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 1.0
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.142
timeline2: 0.646
- Options - 
attached: true
continuous: true
aligned: true
additive: false
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png
dot.png


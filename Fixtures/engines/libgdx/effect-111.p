effect111
- Delay - 
active: true
lowMin: 754.0156
lowMax: 754.0156
- Duration - 
lowMin: 1831.3138
lowMax: 1831.3138
- Count - 
min: 0
max: 120
- Emission - 
lowMin: 27.9165
lowMax: 27.9165
highMin: 53.9946
highMax: 53.9946
relative: false
scalingCount: 5
scaling0: 0.313
scaling1: 0.239
scaling2: 0.0
scaling3: 0.871
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.236
timeline2: 0.363
timeline3: 0.722
timeline4: 0.905
- Life - 
lowMin: 304.9476
lowMax: 304.9476
highMin: 1016.6892
highMax: 1016.6892
relative: false
scalingCount: 2
scaling0: 0.667
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.432
- Life Offset - 
active: false
- X Offset - 
active: true
lowMin: 32.4502
lowMax: 56.1653
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Offset - 
active: false
- Spawn Shape - 
shape: ellipse
edges: false
side: both
- Spawn Width - 
lowMin: 22.0216
lowMax: 23.9565
highMin: 177.8507
highMax: 180.6305
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 0.535
scaling2: 0.0
scaling3: 1.0
scaling4: 0.752
timelineCount: 5
timeline0: 0.0
timeline1: 0.021
timeline2: 0.608
timeline3: 0.697
timeline4: 1.0
- Spawn Height - 
lowMin: 4.358
lowMax: 4.358
highMin: 174.6266
highMax: 174.6266
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.0
scaling2: 0.0
scaling3: 1.0
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.121
timeline2: 0.409
timeline3: 0.53
timeline4: 1.0
- X Scale - 
lowMin: 8.0964
lowMax: 8.0964
highMin: 43.7448
highMax: 43.7448
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 11.3341
lowMax: 11.3341
highMin: 78.9994
highMax: 164.7533
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: -75.7457
lowMax: 294.1329
highMin: 81.3696
highMax: 81.3696
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 1.0
scaling2: 1.0
scaling3: 0.614
timelineCount: 4
timeline0: 0.0
timeline1: 0.283
timeline2: 0.616
timeline3: 0.983
- Rotation - 
active: true
lowMin: -11.9097
lowMax: 28.8202
highMin: -49.974
highMax: 40.3433
relative: false
scalingCount: 2
scaling0: 0.289
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- Wind - 
active: true
lowMin: -37.1304
lowMax: -37.1304
highMin: -88.602
highMax: 31.9038
relative: false
scalingCount: 1
scaling0: 0.433
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 15
colors0: 0.4422
colors1: 0.8287
colors2: 0.7818
colors3: 0.4431
colors4: 0.4421
colors5: 0.4374
colors6: 0.9374
colors7: 0.2297
colors8: 0.9553
colors9: 0.1366
colors10: 0.2548
colors11: 0.7381
colors12: 0.7079
colors13: 0.3057
colors14: 0.2992
timelineCount: 5
timeline0: 0.0
timeline1: 0.415
timeline2: 0.496
timeline3: 0.588
timeline4: 0.771
- Transparency - 
lowMin: 0.4303
lowMax: 0.4303
highMin: 0.9037
highMax: 0.9037
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: true
continuous: false
aligned: false
additive: false
behind: false
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png


effect128
- Delay - 
active: true
lowMin: 370.5902
lowMax: 409.2091
- Duration - 
lowMin: 955.1555
lowMax: 955.1555
- Count - 
min: 15
max: 300
- Emission - 
lowMin: 28.5252
lowMax: 28.5252
highMin: 25.9531
highMax: 31.3403
relative: false
scalingCount: 5
scaling0: 0.493
scaling1: 0.348
scaling2: 1.0
scaling3: 0.197
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.369
timeline2: 0.53
timeline3: 0.911
timeline4: 1.0
- Life - 
lowMin: 506.5168
lowMax: 507.6193
highMin: 848.7371
highMax: 848.7371
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 1.0
scaling2: 0.807
scaling3: 0.0
scaling4: 0.423
timelineCount: 5
timeline0: 0.0
timeline1: 0.158
timeline2: 0.354
timeline3: 0.415
timeline4: 1.0
- Life Offset - 
active: true
lowMin: 94.323
lowMax: 98.5036
highMin: 23.6972
highMax: 24.9583
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 1.0
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.534
timeline2: 0.761
- X Offset - 
active: true
lowMin: -56.3185
lowMax: -56.3185
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
shape: line
- Spawn Width - 
lowMin: 21.8802
lowMax: 22.4952
highMin: 153.6191
highMax: 153.6191
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 51.4033
lowMax: 53.8441
highMin: 142.3489
highMax: 155.7683
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 31.6146
lowMax: 31.6146
highMin: 65.8901
highMax: 65.8901
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 20.7979
lowMax: 20.7979
highMin: 34.7888
highMax: 141.5244
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: -167.664
lowMax: -167.664
highMin: 206.9082
highMax: 275.4792
relative: false
scalingCount: 5
scaling0: 0.402
scaling1: 0.838
scaling2: 0.886
scaling3: 0.0
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.288
timeline2: 0.364
timeline3: 0.525
timeline4: 0.691
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: true
lowMin: -7.2209
lowMax: -5.3084
highMin: -152.1963
highMax: 1.3213
relative: false
scalingCount: 3
scaling0: 0.991
scaling1: 0.481
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.805
timeline2: 1.0
- Tint - 
colorsCount: 3
colors0: 0.8224
colors1: 0.4386
colors2: 0.8123
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.6174
lowMax: 0.6174
highMin: 0.6621
highMax: 0.6621
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 0.685
timelineCount: 2
timeline0: 0.0
timeline1: 0.479
- Options - 
attached: false
continuous: false
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


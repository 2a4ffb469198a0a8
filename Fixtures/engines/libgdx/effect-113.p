effect113
- Delay - 
active: false
- Duration - 
lowMin: 1259.2359
lowMax: 1259.2359
- Count - 
min: 0
max: 30
- Emission - 
lowMin: 5.0503
lowMax: 8.3537
highMin: 82.6541
highMax: 82.6541
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 468.3608
lowMax: 477.1019
highMin: 744.5153
highMax: 806.2011
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: true
lowMin: 1.6039
lowMax: 1.7856
highMin: 285.0122
highMax: 285.0122
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 0.516
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.171
timeline2: 1.0
- X Offset - 
active: true
lowMin: 5.1283
lowMax: 5.1283
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Offset - 
active: true
lowMin: -53.8917
lowMax: 22.7521
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
lowMin: 14.1363
lowMax: 16.4808
highMin: 178.8584
highMax: 178.8584
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.765
timelineCount: 4
timeline0: 0.0
timeline1: 0.084
timeline2: 0.156
timeline3: 1.0
- Spawn Height - 
lowMin: 0.9253
lowMax: 0.9253
highMin: 117.6299
highMax: 117.6299
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 18.0875
lowMax: 18.0875
highMin: 90.2351
highMax: 90.2351
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: true
lowMin: 8.0734
lowMax: 8.1196
highMin: 21.2324
highMax: 66.6456
relative: false
scalingCount: 4
scaling0: 0.856
scaling1: 0.795
scaling2: 1.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.306
timeline2: 0.464
timeline3: 1.0
- Velocity - 
active: false
- Angle - 
active: true
lowMin: 99.3396
lowMax: 173.4853
highMin: 98.6465
highMax: 98.6465
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: true
lowMin: 48.6271
lowMax: 174.0381
highMin: -145.8695
highMax: -145.8695
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Wind - 
active: false
- Gravity - 
active: true
lowMin: -22.1505
lowMax: -7.9397
highMin: -239.0773
highMax: -180.2226
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Tint - 
colorsCount: 3
colors0: 0.873
colors1: 0.961
colors2: 0.6052
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.4298
lowMax: 0.4298
highMin: 0.3557
highMax: 0.4819
relative: false
scalingCount: 3
scaling0: 0.371
scaling1: 0.531
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.416
timeline2: 0.561
- Options - 
attached: false
continuous: true
aligned: true
additive: false
behind: false
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png
dot.png


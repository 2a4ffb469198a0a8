effect104
- Delay - 
active: false
- Duration - 
lowMin: 1590.3124
lowMax: 1590.3124
- Count - 
min: 0
max: 30
- Emission - 
lowMin: 4.0829
lowMax: 4.1973
highMin: 190.8392
highMax: 190.8392
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 794.1653
lowMax: 852.4946
highMin: 341.6223
highMax: 341.6223
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.118
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: false
- Spawn Shape - 
shape: ellipse
edges: true
side: both
- Spawn Width - 
lowMin: 54.8268
lowMax: 54.8268
highMin: 35.8648
highMax: 35.8648
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 12.7247
lowMax: 12.7247
highMin: 12.4318
highMax: 13.7764
relative: false
scalingCount: 1
scaling0: 0.472
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 28.7028
lowMax: 28.7028
highMin: 56.552
highMax: 56.552
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 8.4418
lowMax: 51.692
highMin: 18.658
highMax: 18.658
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.12
timeline2: 0.184
timeline3: 1.0
- Angle - 
active: true
lowMin: -79.5238
lowMax: -79.5238
highMin: 191.4415
highMax: 283.8383
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 1.0
scaling2: 1.0
scaling3: 0.0
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.245
timeline2: 0.253
timeline3: 0.516
timeline4: 1.0
- Rotation - 
active: true
lowMin: 100.9174
lowMax: 100.9174
highMin: 81.467
highMax: 81.467
relative: false
scalingCount: 1
scaling0: 0.513
timelineCount: 1
timeline0: 0.0
- Wind - 
active: false
- Gravity - 
active: true
lowMin: -15.1202
lowMax: -15.1202
highMin: -235.031
highMax: -183.1562
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Tint - 
colorsCount: 3
colors0: 0.0637
colors1: 0.3339
colors2: 0.2444
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.2408
lowMax: 0.5419
highMin: 0.6939
highMax: 0.6939
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: false
continuous: false
aligned: false
additive: false
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


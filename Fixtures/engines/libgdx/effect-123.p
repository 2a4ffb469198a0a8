effect123
- Delay - 
active: true
lowMin: 325.7934
lowMax: 365.31
- Duration - 
lowMin: 537.3532
lowMax: 537.3532
- Count - 
min: 0
max: 300
- Emission - 
lowMin: 32.024
lowMax: 34.0835
highMin: 82.1401
highMax: 90.1111
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 5.9355
lowMax: 5.9355
highMin: 479.5826
highMax: 606.7304
relative: true
scalingCount: 4
scaling0: 1.0
scaling1: 1.0
scaling2: 0.207
scaling3: 0.639
timelineCount: 4
timeline0: 0.0
timeline1: 0.28
timeline2: 0.582
timeline3: 0.913
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: false
- Spawn Shape - 
shape: ellipse
edges: false
side: top
- Spawn Width - 
lowMin: 22.4713
lowMax: 24.7492
highMin: 36.293
highMax: 36.293
relative: false
scalingCount: 3
scaling0: 1.0
scaling1: 1.0
scaling2: 0.016
timelineCount: 3
timeline0: 0.0
timeline1: 0.348
timeline2: 0.563
- Spawn Height - 
lowMin: 5.2894
lowMax: 5.2894
highMin: 2.5658
highMax: 2.5658
relative: false
scalingCount: 2
scaling0: 0.964
scaling1: 0.72
timelineCount: 2
timeline0: 0.0
timeline1: 0.646
- X Scale - 
lowMin: 19.3525
lowMax: 39.6783
highMin: 46.672
highMax: 46.672
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 49.7479
lowMax: 49.7479
highMin: 109.3166
highMax: 109.3166
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 0.8085
lowMax: 165.1291
highMin: 343.6305
highMax: 343.6305
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 1.0
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.25
timeline2: 1.0
- Rotation - 
active: false
- Wind - 
active: true
lowMin: -33.3198
lowMax: -33.3198
highMin: -20.3453
highMax: -20.3453
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.5455
colors1: 0.369
colors2: 0.8934
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.3401
lowMax: 0.5063
highMin: 0.2033
highMax: 0.2033
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: false
continuous: true
aligned: false
additive: false
behind: false
premultipliedAlpha: false
spriteMode: random
- Image Paths -
spark.png


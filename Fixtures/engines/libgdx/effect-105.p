effect105
- Delay - 
active: false
- Duration - 
lowMin: 1523.9875
lowMax: 1523.9875
- Count - 
min: 0
max: 300
- Emission - 
lowMin: 6.5515
lowMax: 6.5515
highMin: 188.0874
highMax: 190.2948
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 747.1449
lowMax: 747.1449
highMin: 2211.7415
highMax: 2211.7415
relative: false
scalingCount: 1
scaling0: 0.311
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: false
- X Offset - 
active: true
lowMin: 40.7641
lowMax: 40.7641
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
side: bottom
- Spawn Width - 
lowMin: 45.6246
lowMax: 45.6246
highMin: 165.2203
highMax: 165.2203
relative: false
scalingCount: 2
scaling0: 0.706
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- Spawn Height - 
lowMin: 33.1293
lowMax: 33.1293
highMin: 78.1528
highMax: 78.1528
relative: false
scalingCount: 3
scaling0: 1.0
scaling1: 0.451
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.219
timeline2: 1.0
- X Scale - 
lowMin: 25.3988
lowMax: 26.2849
highMin: 38.1407
highMax: 38.1407
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 13.1129
lowMax: 13.1129
highMin: 37.2083
highMax: 37.2083
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 0.762
scaling2: 0.166
scaling3: 0.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.136
timeline2: 0.292
timeline3: 0.837
- Angle - 
active: true
lowMin: -153.4478
lowMax: -153.4478
highMin: 278.4983
highMax: 278.4983
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 1.0
scaling2: 1.0
scaling3: 0.066
timelineCount: 4
timeline0: 0.0
timeline1: 0.035
timeline2: 0.341
timeline3: 1.0
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.722
colors1: 0.092
colors2: 0.4513
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.7361
lowMax: 0.7361
highMin: 0.3794
highMax: 0.4497
relative: false
scalingCount: 4
scaling0: 0.532
scaling1: 0.097
scaling2: 0.0
scaling3: 0.102
timelineCount: 4
timeline0: 0.0
timeline1: 0.622
timeline2: 0.684
timeline3: 0.723
- Options - 
attached: false
continuous: false
aligned: false
additive: true
behind: true
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png
dot.png


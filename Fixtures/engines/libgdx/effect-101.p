effect101
- Delay - 
active: true
lowMin: 772.2009
lowMax: 772.2009
- Duration - 
lowMin: 2081.6992
lowMax: 2081.6992
- Count - 
min: 15
max: 120
- Emission - 
lowMin: 8.8678
lowMax: 10.7508
highMin: 60.9704
highMax: 60.9704
relative: true
scalingCount: 1
scaling0: 0.089
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 329.8635
lowMax: 329.8635
highMin: 983.5636
highMax: 983.5636
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
active: true
lowMin: -50.7793
lowMax: -50.7793
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: ellipse
edges: true
side: top
- Spawn Width - 
lowMin: 13.002
lowMax: 16.4754
highMin: 74.1809
highMax: 74.1809
relative: false
scalingCount: 2
scaling0: 1.0
scaling1: 0.685
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- Spawn Height - 
lowMin: 49.6875
lowMax: 49.6875
highMin: 113.8139
highMax: 119.3096
relative: false
scalingCount: 3
scaling0: 0.0
scaling1: 0.576
scaling2: 1.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.69
timeline2: 1.0
- X Scale - 
lowMin: 28.229
lowMax: 33.543
highMin: 78.35
highMax: 78.35
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 14.8537
lowMax: 14.8537
highMin: 11.4987
highMax: 164.9003
relative: true
scalingCount: 4
scaling0: 0.0
scaling1: 0.096
scaling2: 0.0
scaling3: 0.012
timelineCount: 4
timeline0: 0.0
timeline1: 0.436
timeline2: 0.477
timeline3: 0.534
- Angle - 
active: true
lowMin: 151.0162
lowMax: 151.0162
highMin: -155.9926
highMax: 247.0584
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: true
lowMin: 64.3988
lowMax: 157.3107
highMin: -320.8809
highMax: 283.7953
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Wind - 
active: true
lowMin: -37.8576
lowMax: 36.0184
highMin: -89.2797
highMax: -89.2797
relative: false
scalingCount: 3
scaling0: 0.676
scaling1: 1.0
scaling2: 1.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.145
timeline2: 1.0
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.269
colors1: 0.7104
colors2: 0.9508
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.7732
lowMax: 0.7732
highMin: 0.9836
highMax: 0.9836
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: false
continuous: true
aligned: false
additive: false
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


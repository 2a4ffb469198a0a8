effect100
- Delay - 
active: false
- Duration - 
lowMin: 3035.0523
lowMax: 3035.0523
- Count - 
min: 15
max: 30
- Emission - 
lowMin: 4.8525
lowMax: 4.8525
highMin: 73.2199
highMax: 73.2199
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 858.6538
lowMax: 864.7743
highMin: 1082.6399
highMax: 1082.6399
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
lowMin: 40.941
lowMax: 40.941
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: line
- Spawn Width - 
lowMin: 58.2085
lowMax: 58.2085
highMin: 184.4632
highMax: 184.4632
relative: false
scalingCount: 2
scaling0: 0.775
scaling1: 0.714
timelineCount: 2
timeline0: 0.0
timeline1: 0.617
- Spawn Height - 
lowMin: 35.4225
lowMax: 35.4225
highMin: 68.6537
highMax: 68.6537
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 35.6183
lowMax: 35.6183
highMin: 28.2432
highMax: 28.2432
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.0
scaling2: 0.718
scaling3: 1.0
scaling4: 0.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.077
timeline2: 0.269
timeline3: 0.594
timeline4: 1.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 12.5487
lowMax: 56.185
highMin: 142.6418
highMax: 142.6418
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 251.3271
lowMax: 251.3271
highMin: -154.5657
highMax: -45.651
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: true
lowMin: 67.5173
lowMax: 67.5173
highMin: -333.4635
highMax: -35.6357
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 1.0
scaling2: 0.849
scaling3: 0.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.429
timeline2: 0.83
timeline3: 1.0
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.8211
colors1: 0.3526
colors2: 0.6738
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.4443
lowMax: 0.4443
highMin: 0.1843
highMax: 0.1843
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Options - 
attached: false
continuous: true
aligned: false
additive: true
behind: false
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png
dot.png


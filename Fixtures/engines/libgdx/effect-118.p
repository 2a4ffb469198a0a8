effect118
- Delay - 
active: true
lowMin: 79.2126
lowMax: 79.2126
- Duration - 
lowMin: 3165.0037
lowMax: 3165.0037
- Count - 
min: 15
max: 30
- Emission - 
lowMin: 19.7642
lowMax: 19.7642
highMin: 92.0872
highMax: 92.0872
relative: true
scalingCount: 2
scaling0: 1.0
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.915
- Life - 
lowMin: 560.8401
lowMax: 560.8401
highMin: 1501.8089
highMax: 1501.8089
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: true
lowMin: 19.0275
lowMax: 19.0275
highMin: 334.3868
highMax: 339.493
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Offset - 
active: true
lowMin: -38.4719
lowMax: 35.5052
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
shape: square
- Spawn Width - 
lowMin: 8.1639
lowMax: 8.1639
highMin: 50.0413
highMax: 63.4461
relative: false
scalingCount: 3
scaling0: 0.629
scaling1: 0.0
scaling2: 1.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.607
timeline2: 0.941
- Spawn Height - 
lowMin: 56.1884
lowMax: 57.3811
highMin: 82.7648
highMax: 82.7648
relative: true
scalingCount: 3
scaling0: 0.735
scaling1: 0.163
scaling2: 0.446
timelineCount: 3
timeline0: 0.0
timeline1: 0.155
timeline2: 0.168
- X Scale - 
lowMin: 18.2242
lowMax: 28.079
highMin: 35.7732
highMax: 35.7732
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: true
lowMin: 5.9807
lowMax: 11.4986
highMin: 9.3491
highMax: 78.0498
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Velocity - 
active: true
lowMin: 18.7679
lowMax: 25.4296
highMin: 73.1336
highMax: 73.1336
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: false
- Rotation - 
active: false
- Wind - 
active: true
lowMin: -35.0693
lowMax: -35.0693
highMin: -142.233
highMax: -142.233
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 15
colors0: 0.6157
colors1: 0.5319
colors2: 0.5166
colors3: 0.7733
colors4: 0.1164
colors5: 0.967
colors6: 0.9756
colors7: 0.2826
colors8: 0.0002
colors9: 0.625
colors10: 0.7894
colors11: 0.6396
colors12: 0.733
colors13: 0.8847
colors14: 0.9121
timelineCount: 5
timeline0: 0.0
timeline1: 0.215
timeline2: 0.563
timeline3: 0.754
timeline4: 0.758
- Transparency - 
lowMin: 0.6405
lowMax: 0.6405
highMin: 0.1982
highMax: 0.6095
relative: false
scalingCount: 2
scaling0: 1.0
scaling1: 0.23
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
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
dot.png


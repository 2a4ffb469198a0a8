effect112
- Delay - 
active: false
- Duration - 
lowMin: 3648.1453
lowMax: 3648.1453
- Count - 
min: 0
max: 120
- Emission - 
lowMin: 8.8369
lowMax: 8.8369
highMin: 103.6306
highMax: 103.6306
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 660.2645
lowMax: 660.2645
highMin: 1797.1401
highMax: 1797.1401
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: true
lowMin: 67.3558
lowMax: 67.6498
highMin: 453.6633
highMax: 453.6633
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: 2.5727
lowMax: 6.0047
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
lowMin: 31.5375
lowMax: 31.5375
highMin: 19.9148
highMax: 19.9148
relative: false
scalingCount: 3
scaling0: 1.0
scaling1: 0.748
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.248
timeline2: 0.446
- Spawn Height - 
lowMin: 32.3513
lowMax: 32.7422
highMin: 97.4234
highMax: 97.4234
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 26.7005
lowMax: 26.7005
highMin: 35.7241
highMax: 39.6504
relative: false
scalingCount: 2
scaling0: 0.767
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.111
- Y Scale - 
active: true
lowMin: 16.1876
lowMax: 16.1876
highMin: 41.7874
highMax: 86.8309
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Velocity - 
active: true
lowMin: 46.9744
lowMax: 50.1849
highMin: 155.3973
highMax: 183.3054
relative: false
scalingCount: 2
scaling0: 0.816
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.666
- Angle - 
active: true
lowMin: 44.0254
lowMax: 296.5685
highMin: 34.6709
highMax: 133.5476
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 15
colors0: 0.0814
colors1: 0.9419
colors2: 0.1879
colors3: 0.5866
colors4: 0.6561
colors5: 0.5601
colors6: 0.7064
colors7: 0.3053
colors8: 0.2301
colors9: 0.6601
colors10: 0.9461
colors11: 0.063
colors12: 0.105
colors13: 0.9888
colors14: 0.0521
timelineCount: 5
timeline0: 0.0
timeline1: 0.173
timeline2: 0.356
timeline3: 0.529
timeline4: 0.719
- Transparency - 
lowMin: 0.4657
lowMax: 0.4657
highMin: 0.1109
highMax: 0.1925
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 0.0
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- Options - 
attached: false
continuous: true
aligned: false
additive: true
behind: true
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


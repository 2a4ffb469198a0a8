effect137
- Delay - 
active: false
- Duration - 
lowMin: 1655.599
lowMax: 1655.599
- Count - 
min: 2
max: 300
- Emission - 
lowMin: 33.5766
lowMax: 33.5766
highMin: 42.6987
highMax: 42.6987
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 418.5324
lowMax: 429.9577
highMin: 803.231
highMax: 803.231
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: false
- Spawn Shape - 
shape: square
- Spawn Width - 
lowMin: 2.3158
lowMax: 2.3158
highMin: 19.7669
highMax: 19.7669
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 14.8109
lowMax: 14.8109
highMin: 184.6301
highMax: 188.6103
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 10.8349
lowMax: 10.8349
highMin: 79.1656
highMax: 79.1656
relative: false
scalingCount: 1
scaling0: 0.591
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 39.1741
lowMax: 39.1741
highMin: 59.9638
highMax: 59.9638
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: -114.3993
lowMax: 31.5316
highMin: -144.7589
highMax: 140.644
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 1.0
scaling2: 0.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.062
timeline2: 0.785
timeline3: 0.786
- Rotation - 
active: false
- Wind - 
active: true
lowMin: 16.1724
lowMax: 16.1724
highMin: 104.1518
highMax: 104.1518
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 9
colors0: 0.3355
colors1: 0.8636
colors2: 0.3649
colors3: 0.3271
colors4: 0.2994
colors5: 0.3031
colors6: 0.749
colors7: 0.9138
colors8: 0.2911
timelineCount: 3
timeline0: 0.0
timeline1: 0.368
timeline2: 0.69
- Transparency - 
lowMin: 0.3882
lowMax: 0.8048
highMin: 0.6478
highMax: 0.6478
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 0.0
scaling2: 0.0
scaling3: 0.439
timelineCount: 4
timeline0: 0.0
timeline1: 0.412
timeline2: 0.581
timeline3: 0.659
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


effect108
- Delay - 
active: false
- Duration - 
lowMin: 1395.6259
lowMax: 1395.6259
- Count - 
min: 0
max: 30
- Emission - 
lowMin: 8.5931
lowMax: 11.1492
highMin: 55.7612
highMax: 73.4548
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 191.8037
lowMax: 191.8037
highMin: 1628.9302
highMax: 1628.9302
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.918
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.053
timeline2: 0.345
timeline3: 0.657
timeline4: 1.0
- Life Offset - 
active: true
lowMin: 33.9157
lowMax: 33.9157
highMin: 366.6377
highMax: 369.5948
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Offset - 
active: true
lowMin: 34.9856
lowMax: 34.9856
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
lowMin: 6.4617
lowMax: 6.4617
highMin: 11.8838
highMax: 11.8838
relative: false
scalingCount: 4
scaling0: 0.141
scaling1: 0.045
scaling2: 1.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.09
timeline2: 0.268
timeline3: 0.928
- Spawn Height - 
lowMin: 4.1735
lowMax: 4.1735
highMin: 10.9353
highMax: 10.9353
relative: false
scalingCount: 1
scaling0: 0.941
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 6.1505
lowMax: 32.4033
highMin: 79.6898
highMax: 87.7215
relative: false
scalingCount: 1
scaling0: 0.451
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: true
lowMin: 39.7881
lowMax: 39.7881
highMin: 13.8345
highMax: 13.8345
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Velocity - 
active: true
lowMin: 25.9742
lowMax: 25.9742
highMin: 177.4472
highMax: 177.4472
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.0
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.041
timeline2: 0.484
timeline3: 0.627
timeline4: 0.666
- Angle - 
active: true
lowMin: 159.5326
lowMax: 159.5326
highMin: -116.0186
highMax: 117.3075
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 0.56
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- Rotation - 
active: true
lowMin: -122.2656
lowMax: -122.2656
highMin: -160.1281
highMax: -160.1281
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Wind - 
active: true
lowMin: -27.6356
lowMax: 19.3463
highMin: 139.6525
highMax: 139.6525
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Gravity - 
active: false
- Tint - 
colorsCount: 6
colors0: 0.5971
colors1: 0.1417
colors2: 0.1286
colors3: 0.9902
colors4: 0.9155
colors5: 0.007
timelineCount: 2
timeline0: 0.0
timeline1: 0.21
- Transparency - 
lowMin: 0.8789
lowMax: 0.8789
highMin: 0.8581
highMax: 0.8581
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


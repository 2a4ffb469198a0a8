effect116
- Delay - 
active: false
- Duration - 
lowMin: 3055.4476
lowMax: 3055.4476
- Count - 
min: 0
max: 1000
- Emission - 
lowMin: 10.9642
lowMax: 10.9642
highMin: 111.6837
highMax: 111.6837
relative: true
scalingCount: 1
scaling0: 0.953
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 289.7036
lowMax: 310.6856
highMin: 1415.7275
highMax: 1415.7275
relative: false
scalingCount: 4
scaling0: 0.564
scaling1: 0.266
scaling2: 1.0
scaling3: 0.04
timelineCount: 4
timeline0: 0.0
timeline1: 0.165
timeline2: 0.522
timeline3: 0.564
- Life Offset - 
active: true
lowMin: 68.4142
lowMax: 68.4142
highMin: 116.5126
highMax: 116.5126
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- X Offset - 
active: true
lowMin: -16.9393
lowMax: 55.1567
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
lowMin: 44.5474
lowMax: 44.5474
highMin: 76.6568
highMax: 86.6966
relative: true
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 29.5089
lowMax: 31.7598
highMin: 100.9718
highMax: 102.8841
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- X Scale - 
lowMin: 16.7262
lowMax: 16.7262
highMin: 88.6756
highMax: 88.6756
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: true
lowMin: 12.0553
lowMax: 12.0553
highMin: 14.898
highMax: 14.898
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Velocity - 
active: true
lowMin: 17.1373
lowMax: 57.4396
highMin: 11.6819
highMax: 155.7368
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Angle - 
active: true
lowMin: 1.487
lowMax: 50.3035
highMin: -86.6089
highMax: 117.2867
relative: true
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Rotation - 
active: true
lowMin: -76.7958
lowMax: -76.7958
highMin: 244.8162
highMax: 244.8162
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 3
colors0: 0.6127
colors1: 0.9547
colors2: 0.2982
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.4772
lowMax: 0.4772
highMin: 0.9987
highMax: 0.9987
relative: false
scalingCount: 3
scaling0: 0.009
scaling1: 0.981
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.022
timeline2: 0.766
- Options - 
attached: false
continuous: false
aligned: true
additive: true
behind: false
premultipliedAlpha: false
spriteMode: random
- Image Paths -
spark.png


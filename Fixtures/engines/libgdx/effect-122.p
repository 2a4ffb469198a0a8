effect122
- Delay - 
active: false
- Duration - 
lowMin: 3027.0561
lowMax: 3027.0561
- Count - 
min: 15
max: 1000
- Emission - 
lowMin: 6.4109
lowMax: 6.4109
highMin: 174.2958
highMax: 181.943
relative: false
scalingCount: 4
scaling0: 0.119
scaling1: 0.0
scaling2: 1.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.093
timeline2: 0.295
timeline3: 0.81
- Life - 
lowMin: 838.8625
lowMax: 838.8625
highMin: 1464.2028
highMax: 1464.2028
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 1.0
scaling2: 0.366
scaling3: 0.205
timelineCount: 4
timeline0: 0.0
timeline1: 0.395
timeline2: 0.467
timeline3: 0.969
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: false
- Spawn Shape - 
shape: point
- Spawn Width - 
lowMin: 46.6152
lowMax: 46.6152
highMin: 127.6108
highMax: 127.6108
relative: false
scalingCount: 1
scaling0: 0.716
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 52.961
lowMax: 52.961
highMin: 170.6098
highMax: 170.6098
relative: false
scalingCount: 3
scaling0: 0.34
scaling1: 1.0
scaling2: 1.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.186
timeline2: 1.0
- X Scale - 
lowMin: 22.6881
lowMax: 39.8766
highMin: 74.2928
highMax: 80.4826
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 58.0675
lowMax: 58.0675
highMin: 66.7745
highMax: 66.7745
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.0
scaling2: 0.695
scaling3: 0.815
scaling4: 0.918
timelineCount: 5
timeline0: 0.0
timeline1: 0.261
timeline2: 0.574
timeline3: 0.923
timeline4: 1.0
- Angle - 
active: false
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 6
colors0: 0.3148
colors1: 0.993
colors2: 0.1305
colors3: 0.901
colors4: 0.4706
colors5: 0.2287
timelineCount: 2
timeline0: 0.0
timeline1: 0.387
- Transparency - 
lowMin: 0.0772
lowMax: 0.5643
highMin: 0.2634
highMax: 0.2634
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 0.0
scaling2: 0.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.046
timeline2: 0.385
timeline3: 1.0
- Options - 
attached: false
continuous: true
aligned: false
additive: false
behind: true
premultipliedAlpha: false
spriteMode: single
- Image Paths -
spark.png


effect117
- Delay - 
active: true
lowMin: 319.8786
lowMax: 320.4233
- Duration - 
lowMin: 822.4449
lowMax: 822.4449
- Count - 
min: 0
max: 300
- Emission - 
lowMin: 18.2719
lowMax: 18.2719
highMin: 40.7339
highMax: 40.7339
relative: true
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Life - 
lowMin: 6.2677
lowMax: 6.2677
highMin: 1688.9706
highMax: 1688.9706
relative: false
scalingCount: 5
scaling0: 0.0
scaling1: 0.0
scaling2: 1.0
scaling3: 0.373
scaling4: 1.0
timelineCount: 5
timeline0: 0.0
timeline1: 0.247
timeline2: 0.401
timeline3: 0.453
timeline4: 1.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: -7.0028
lowMax: 50.4998
highMin: 0.0
highMax: 0.0
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Spawn Shape - 
shape: ellipse
edges: false
side: both
- Spawn Width - 
lowMin: 26.6809
lowMax: 26.6809
highMin: 128.0099
highMax: 128.0099
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Spawn Height - 
lowMin: 1.7021
lowMax: 1.7021
highMin: 40.7867
highMax: 40.7867
relative: false
scalingCount: 4
scaling0: 1.0
scaling1: 0.219
scaling2: 0.909
scaling3: 0.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.352
timeline2: 0.633
timeline3: 1.0
- X Scale - 
lowMin: 27.8783
lowMax: 27.8783
highMin: 70.3279
highMax: 70.3279
relative: false
scalingCount: 1
scaling0: 0.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: false
- Velocity - 
active: true
lowMin: 6.6291
lowMax: 6.6291
highMin: 55.3211
highMax: 116.7273
relative: false
scalingCount: 4
scaling0: 0.059
scaling1: 0.0
scaling2: 0.0
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.09
timeline2: 0.465
timeline3: 1.0
- Angle - 
active: true
lowMin: 31.0701
lowMax: 31.0701
highMin: 201.6397
highMax: 227.9407
relative: true
scalingCount: 4
scaling0: 0.298
scaling1: 0.932
scaling2: 0.479
scaling3: 0.189
timelineCount: 4
timeline0: 0.0
timeline1: 0.566
timeline2: 0.6
timeline3: 1.0
- Rotation - 
active: false
- Wind - 
active: false
- Gravity - 
active: false
- Tint - 
colorsCount: 15
colors0: 0.0279
colors1: 0.7826
colors2: 0.8921
colors3: 0.734
colors4: 0.7936
colors5: 0.812
colors6: 0.1994
colors7: 0.6219
colors8: 0.0757
colors9: 0.6917
colors10: 0.6698
colors11: 0.7829
colors12: 0.7817
colors13: 0.9217
colors14: 0.0374
timelineCount: 5
timeline0: 0.0
timeline1: 0.403
timeline2: 0.443
timeline3: 0.766
timeline4: 0.845
- Transparency - 
lowMin: 0.1422
lowMax: 0.1422
highMin: 0.1722
highMax: 0.1722
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


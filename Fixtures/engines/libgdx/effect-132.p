effect132
- Delay - 
active: false
- Duration - 
lowMin: 1505.5641
lowMax: 1505.5641
- Count - 
min: 0
max: 30
- Emission - 
lowMin: 38.4824
lowMax: 39.2068
highMin: 51.0145
highMax: 51.0145
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 0.382
scaling2: 0.0
scaling3: 0.0
scaling4: 0.548
timelineCount: 5
timeline0: 0.0
timeline1: 0.541
timeline2: 0.628
timeline3: 0.834
timeline4: 0.876
- Life - 
lowMin: 716.8917
lowMax: 743.4686
highMin: 452.4505
highMax: 452.4505
relative: false
scalingCount: 4
scaling0: 0.0
scaling1: 0.0
scaling2: 0.589
scaling3: 1.0
timelineCount: 4
timeline0: 0.0
timeline1: 0.062
timeline2: 0.149
timeline3: 1.0
- Life Offset - 
active: false
- X Offset - 
active: false
- Y Offset - 
active: true
lowMin: 16.7689
lowMax: 16.7689
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
lowMin: 8.3898
lowMax: 11.1279
highMin: 75.4157
highMax: 83.5638
relative: false
scalingCount: 5
scaling0: 0.02
scaling1: 0.0
scaling2: 1.0
scaling3: 1.0
scaling4: 0.072
timelineCount: 5
timeline0: 0.0
timeline1: 0.138
timeline2: 0.202
timeline3: 0.465
timeline4: 1.0
- Spawn Height - 
lowMin: 40.1621
lowMax: 40.1621
highMin: 41.0437
highMax: 41.0437
relative: false
scalingCount: 2
scaling0: 0.931
scaling1: 0.291
timelineCount: 2
timeline0: 0.0
timeline1: 1.0
- X Scale - 
lowMin: 9.8854
lowMax: 9.8854
highMin: 8.2086
highMax: 89.6916
relative: false
scalingCount: 1
scaling0: 1.0
timelineCount: 1
timeline0: 0.0
- Y Scale - 
active: true
lowMin: 10.2593
lowMax: 10.2593
highMin: 34.5039
highMax: 34.5039
relative: false
scalingCount: 5
scaling0: 1.0
scaling1: 1.0
scaling2: 0.0
scaling3: 0.0
scaling4: 0.457
timelineCount: 5
timeline0: 0.0
timeline1: 0.276
timeline2: 0.379
timeline3: 0.8
timeline4: 0.906
- Velocity - 
active: true
lowMin: 4.7325
lowMax: 4.7325
highMin: 57.2733
highMax: 57.2733
relative: false
scalingCount: 3
scaling0: 0.916
scaling1: 0.0
scaling2: 0.0
timelineCount: 3
timeline0: 0.0
timeline1: 0.661
timeline2: 1.0
- Angle - 
active: true
lowMin: -69.4848
lowMax: 173.729
highMin: -31.3167
highMax: 350.4897
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
colorsCount: 3
colors0: 0.7708
colors1: 0.0694
colors2: 0.2725
timelineCount: 1
timeline0: 0.0
- Transparency - 
lowMin: 0.3587
lowMax: 0.3587
highMin: 0.2287
highMax: 0.3665
relative: false
scalingCount: 2
scaling0: 0.0
scaling1: 1.0
timelineCount: 2
timeline0: 0.0
timeline1: 0.991
- Options - 
attached: false
continuous: true
aligned: false
additive: false
behind: false
premultipliedAlpha: false
spriteMode: animated
- Image Paths -
spark.png


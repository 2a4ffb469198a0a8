--[[
Two systems, as exporters write them.
]]
local particles = {x=0, y=0}

local LG        = love.graphics
local image1    = LG.newImage("ember.png")
image1:setFilter("linear", "linear")

local ps = LG.newParticleSystem(image1, 120)
ps:setColors(1, 0.8, 0.3, 0.75, 1, 0.25, 0, 0.5, 0.5, 0, 0, 0)
ps:setDirection(-math.pi/2)
ps:setEmissionArea("uniform", 14, 3, 0, false)
ps:setEmissionRate(80)
ps:setEmitterLifetime(-1)
ps:setInsertMode("top")
ps:setLinearAcceleration(-5, -40, 5, -20)
ps:setLinearDamping(0, 0.5)
ps:setParticleLifetime(0.75, 1.25)
ps:setRadialAcceleration(-10, 0)
ps:setRelativeRotation(false)
ps:setRotation(0, math.pi * 2)
ps:setSizes(1, 0.5)
ps:setSizeVariation(0)
ps:setSpeed(60, 90)
ps:setSpin(1, 2)
ps:setSpinVariation(0)
ps:setSpread(math.rad(30)) -- the whole angle
ps:setTangentialAcceleration(-4, 4)
table.insert(particles, {system=ps, kickStartSteps=0, kickStartDt=0, emitAtStart=0, blendMode="add", shader=nil, texturePath="ember.png", texturePreset="ember", shaderPath="", shaderFilename="", x=0, y=0})

local ps = LG.newParticleSystem(image1, 40)
ps:setColors(0.25, 0.25, 0.25, 0.5)
ps:setDirection(-1.5707963267949)
ps:setEmissionArea("borderellipse", 20, 10, 0.5)
ps:setEmissionRate(10)
ps:setEmitterLifetime(2.5)
ps:setParticleLifetime(2)
ps:setSizes(0.5)
ps:setSpeed(20)
ps:setSpread(0.5)
ps:setRelativeRotation(true)
table.insert(particles, {system=ps, kickStartSteps=0, kickStartDt=0, emitAtStart=12, blendMode="alpha", texturePath="ember.png", x=3, y=-4})

return particles

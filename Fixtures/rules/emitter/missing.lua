local particles = {}

local ps = love.graphics.newParticleSystem(image, 40)
ps:setParticleLifetime(1, 2)
ps:setEmissionRate(20)
ps:setSpeed(10, 20)
table.insert(particles, {system=ps, x=0, y=0})

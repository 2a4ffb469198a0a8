-- A call that does not end.
local ps = love.graphics.newParticleSystem(image, 100
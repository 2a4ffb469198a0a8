-- love love-code CODE.lua OUT.json: runs a function that makes a particle system, and writes what LÖVE has read.
-- An error ends the program, instead of showing it in a window.
function love.errorhandler(message)
  io.stderr:write(tostring(message), "\n")
  os.exit(1)
end

local function list(...)
  local texts = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if type(v) == "table" then
      for k = 1, 4 do texts[#texts + 1] = string.format("%.9g", v[k]) end
    elseif type(v) == "number" then
      texts[#texts + 1] = string.format("%.9g", v)
    elseif type(v) == "string" then
      texts[#texts + 1] = '"' .. v .. '"'
    else
      texts[#texts + 1] = tostring(v)
    end
  end
  return "[" .. table.concat(texts, ",") .. "]"
end

local getters = {"BufferSize", "EmissionRate", "EmitterLifetime", "ParticleLifetime", "Speed", "Direction", "Spread",
  "LinearAcceleration", "RadialAcceleration", "TangentialAcceleration", "LinearDamping", "Sizes", "Rotation", "Spin",
  "SpinVariation", "EmissionArea", "InsertMode", "Position", "Colors", "Count"}

function love.load(args)
  local image = love.graphics.newImage(love.image.newImageData(16, 16))
  -- The image of the effect is not here.
  love.graphics.newImage = function() return image end
  local system, blend = assert(loadfile(args[1]))()()
  local texts = {'"Blend":' .. list(blend), '"RelativeRotation":' .. list(system:hasRelativeRotation())}
  for _, name in ipairs(getters) do
    texts[#texts + 1] = '"' .. name .. '":' .. list(system["get" .. name](system))
  end
  local quads = {}
  for _, quad in ipairs(system:getQuads()) do
    local x, y, w, h = quad:getViewport()
    quads[#quads + 1] = string.format("%.9g,%.9g,%.9g,%.9g", x, y, w, h)
  end
  texts[#texts + 1] = '"Quads":[' .. table.concat(quads, ",") .. "]"
  local out = assert(io.open(args[2], "w"))
  out:write("{" .. table.concat(texts, ",") .. "}")
  out:close()
  love.event.quit(0)
end

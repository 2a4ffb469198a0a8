-- love love-read EFFECT.lua OUT.json: runs the code of an effect, and writes what LÖVE has read of each system.
-- An error ends the program, instead of showing it in a window.
function love.errorhandler(message)
  io.stderr:write(tostring(message), "\n")
  os.exit(1)
end

local function list(...)
  local texts = {}
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    texts[i] = type(v) == "number" and string.format("%.9g", v) or type(v) == "boolean" and tostring(v) or '"' .. tostring(v) .. '"'
  end
  return "[" .. table.concat(texts, ",") .. "]"
end

local function colors(...)
  local all = {}
  for _, c in ipairs({...}) do for k = 1, 4 do all[#all + 1] = c[k] end end
  return list(unpack(all))
end

local getters = {"BufferSize", "EmissionRate", "EmitterLifetime", "ParticleLifetime", "Speed", "Direction", "Spread",
  "LinearAcceleration", "RadialAcceleration", "TangentialAcceleration", "LinearDamping", "Sizes", "SizeVariation",
  "Rotation", "Spin", "SpinVariation", "EmissionArea", "InsertMode", "Position"}

function love.load(args)
  local image = love.graphics.newImage(love.image.newImageData(16, 16))
  -- The images of the effect are not here.
  love.graphics.newImage = function() return image end
  local made = assert(loadfile(args[1]))()
  if type(made) == "function" then made = {{system = made(image)}} end
  local systems = {}
  for _, entry in ipairs(made) do
    local texts = {}
    for _, name in ipairs(getters) do
      texts[#texts + 1] = '"set' .. name .. '":' .. list(entry.system["get" .. name](entry.system))
    end
    texts[#texts + 1] = '"setColors":' .. colors(entry.system:getColors())
    texts[#texts + 1] = '"setRelativeRotation":' .. list(entry.system:hasRelativeRotation())
    systems[#systems + 1] = "{" .. table.concat(texts, ",") .. "}"
  end
  local out = assert(io.open(args[2], "w"))
  out:write("[" .. table.concat(systems, ",") .. "]")
  out:close()
  love.event.quit(0)
end

function love.conf(t)
  t.window.width, t.window.height = 64, 64
  t.window.vsync = 0
  t.modules.audio, t.modules.sound, t.modules.joystick, t.modules.physics, t.modules.video = false, false, false, false, false
  t.identity = "code"
end

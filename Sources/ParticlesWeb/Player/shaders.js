import { tableColumns, tableWidth } from "./atlas.js";

/**
 * Quads: each instance is a record of 96 bytes. Texture coordinates follow `Mapping` of the native rasteriser:
 * numerators and denominator are linear in the picture, by the corners 0, 1 and 3.
 */
export const quadVertex = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec4 first;
layout(location = 1) in vec4 second;
layout(location = 2) in vec3 near;
layout(location = 3) in vec4 part;
layout(location = 4) in vec4 color;
layout(location = 5) in ivec2 textures;
layout(location = 6) in float share;
layout(location = 7) in int flags;
uniform vec2 picture;
uniform bool isTintPremultiplied;
uniform highp sampler2D table;
out vec3 place;
flat out vec4 tint;
flat out vec4 rectangle;
flat out vec4 nextRectangle;
flat out vec4 sizes;
flat out float weight;
flat out int isNearest;

vec4 row(int texture, int column) {
  int index = texture * ${tableColumns} + column;
  return texelFetch(table, ivec2(index % ${tableWidth}, index / ${tableWidth}), 0);
}

int level(vec4 info, vec2 size) {
  vec2 texels = info.xy * abs(part.zw - part.xy) / max(size, vec2(1e-3));
  float ratio = min(max(texels.x, texels.y), 4.0 * min(texels.x, texels.y));
  int level = 0;
  int most = int(info.w);
  while (level < most && ratio > 1.5 * float(1 << level)) level++;
  return max(level, int(info.z));
}

void main() {
  vec2 corners[4] = vec2[4](first.xy, first.zw, second.xy, second.zw);
  vec2 x = corners[1] - corners[0];
  vec2 y = corners[3] - corners[0];
  float area = x.x * y.y - x.y * y.x;
  int corner = gl_VertexID == 2 ? 3 : gl_VertexID == 3 ? 2 : gl_VertexID;
  if (corner == 2 && (flags & 2) != 0) corner = 1;
  vec2 point = corners[corner];
  vec2 from = point - corners[0];
  float s = (from.x * y.y - from.y * y.x) / area;
  float t = (x.x * from.y - x.y * from.x) / area;
  vec2 across = vec2(part.z - part.x, 0.0);
  vec2 down = vec2(0.0, part.w - part.y);
  place.xy = part.xy * near.x + s * ((part.xy + across) * near.y - part.xy * near.x)
    + t * ((part.xy + down) * near.z - part.xy * near.x);
  place.z = near.x + s * (near.y - near.x) + t * (near.z - near.x);
  tint = isTintPremultiplied ? vec4(color.rgb * color.a, color.a) : color;
  isNearest = flags & 1;
  weight = textures.y >= 0 ? share : 0.0;
  vec2 size = vec2(length(x), length(y));
  vec4 info = row(textures.x, 0);
  int step = level(info, size);
  rectangle = row(textures.x, 1 + step);
  sizes.xy = info.xy / float(1 << step);
  nextRectangle = rectangle;
  sizes.zw = sizes.xy;
  if (weight > 0.0) {
    info = row(textures.y, 0);
    step = level(info, size);
    nextRectangle = row(textures.y, 1 + step);
    sizes.zw = info.xy / float(1 << step);
  }
  bool isSound = abs(area) > 1e-9 && abs(area) < 1e30 && dot(abs(tint), vec4(1.0)) < 1e30;
  gl_Position = isSound ? vec4(point / picture * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
`;

export const quadFragment = `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D page;
uniform highp sampler2D nextPage;
in vec3 place;
flat in vec4 tint;
flat in vec4 rectangle;
flat in vec4 nextRectangle;
flat in vec4 sizes;
flat in float weight;
flat in int isNearest;
out vec4 fragment;

vec4 texel(highp sampler2D page, vec4 rectangle, vec2 size, vec2 point) {
  // Comparisons that fail for NaN as well.
  vec2 texels = vec2(point.x > 0.0 ? min(point.x, 1.0) : 0.0, point.y > 0.0 ? min(point.y, 1.0) : 0.0) * size;
  vec2 most = rectangle.zw - 1.0;
  if (isNearest != 0) return texelFetch(page, ivec2(rectangle.xy + min(floor(texels), most)), 0);
  texels -= 0.5;
  vec2 low = floor(texels);
  vec2 weights = texels - low;
  ivec2 from = ivec2(rectangle.xy + clamp(low, vec2(0.0), most));
  ivec2 to = ivec2(rectangle.xy + clamp(low + 1.0, vec2(0.0), most));
  return mix(
    mix(texelFetch(page, from, 0), texelFetch(page, ivec2(to.x, from.y), 0), weights.x),
    mix(texelFetch(page, ivec2(from.x, to.y), 0), texelFetch(page, to, 0), weights.x), weights.y);
}

void main() {
  vec2 point = place.xy / place.z;
  vec4 color = texel(page, rectangle, sizes.xy, point);
  if (weight > 0.0) color = mix(color, texel(nextPage, nextRectangle, sizes.zw, point), weight);
  fragment = clamp(color * tint, 0.0, 1.0);
}
`;

/** A triangle that covers the picture. */
export const coverVertex = `#version 300 es
void main() {
  gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
`;

export const plainFragment = `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 fragment;
void main() { fragment = color; }
`;

/** Turns samples into pixels of a canvas, whose colours are multiplied by alpha. */
export const finishFragment = `#version 300 es
precision highp float;
uniform highp sampler2D picture;
uniform int samples;
uniform bool isLinear;
uniform bool isOpaque;
out vec4 fragment;

vec3 encoded(vec3 light) {
  return mix(1.055 * pow(max(light, 0.0031308), vec3(1.0 / 2.4)) - 0.055, light * 12.92, lessThanEqual(light, vec3(0.0031308)));
}

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * samples;
  vec4 color = vec4(0.0);
  for (int y = 0; y < samples; y++) {
    for (int x = 0; x < samples; x++) color += clamp(texelFetch(picture, first + ivec2(x, y), 0), 0.0, 1.0);
  }
  color /= float(samples * samples);
  // Light without cover covers as much as it is bright.
  float alpha = isOpaque ? 1.0 : max(color.a, max(color.r, max(color.g, color.b)));
  vec3 straight = alpha > 0.0 ? color.rgb / alpha : vec3(0.0);
  fragment = vec4((isLinear ? encoded(straight) : straight) * alpha, alpha);
}
`;

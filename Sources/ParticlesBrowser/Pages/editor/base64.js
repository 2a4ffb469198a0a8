// Bytes as text.

export function toBase64(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32768) binary += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return btoa(binary);
}

export const fromBase64 = (line) => Uint8Array.from(atob(line), (character) => character.charCodeAt(0));

// The script of a page that is one file, packed: the policy of the page permits this text by its digest, and what it loads.
(async () => {
  const packed = Uint8Array.from(atob("{{packed}}"), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  // The worker has the same script.
  globalThis.playerScript = new Blob([await new Response(stream).arrayBuffer()], { type: "text/javascript" });
  const script = document.createElement("script");
  script.src = URL.createObjectURL(globalThis.playerScript);
  document.body.append(script);
})();

// The script of a page that is one file, packed: the policy of the page permits both by their digests.
(async () => {
  const packed = Uint8Array.from(atob("{{packed}}"), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  // The worker uses this script, too.
  const text = await new Response(stream).text();
  globalThis.playerScript = new Blob([text], { type: "text/javascript" });
  const script = document.createElement("script");
  script.textContent = text;
  document.body.append(script);
})();

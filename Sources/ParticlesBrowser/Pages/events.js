// The stream of events of the program, in a shared worker: a browser has few connections to an address.

/**
 * Connects. After the end of the program, the address is not asked again: another program may answer there.
 * @returns {() => string} whether the stream is `opening`, `open` or `lost`
 */
export function connect(target, receive) {
  let state = "opening";
  const source = new EventSource(target);
  source.onopen = () => {
    state = "open";
    receive("open", null);
  };
  source.onerror = () => {
    source.close();
    state = "lost";
    receive("lost", null);
  };
  source.onmessage = ({ data }) => {
    const value = JSON.parse(data);
    receive(value.event, value);
  };
  return () => state;
}

if (typeof SharedWorkerGlobalScope !== "undefined" && self instanceof SharedWorkerGlobalScope) {
  const ports = new Set();
  let state = () => "lost";
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data }) => {
      if (data.ends) {
        ports.delete(port);
        return;
      }
      ports.add(port);
      if (state() === "open") {
        port.postMessage({ name: "open", value: null });
      } else if (state() === "lost") {
        state = connect(data.target, (name, value) => {
          for (const other of ports) other.postMessage({ name, value });
        });
      }
    };
  };
}

// The stream of events of the program, in a shared worker: a browser has few connections to an address.

/** Connects, and connects again after the program has ended and was started again. */
export function connect(target, receive) {
  let isOpen = false;
  let source;
  const begin = () => {
    source = new EventSource(target);
    source.onopen = () => {
      isOpen = true;
      receive("open", null);
    };
    source.onerror = () => {
      if (isOpen) receive("lost", null);
      isOpen = false;
      // The browser does not try again after an answer that is no stream.
      if (source.readyState === EventSource.CLOSED) setTimeout(begin, 1000);
    };
    source.onmessage = ({ data }) => {
      const value = JSON.parse(data);
      receive(value.event, value);
    };
  };
  begin();
  return () => isOpen;
}

if (typeof SharedWorkerGlobalScope !== "undefined" && self instanceof SharedWorkerGlobalScope) {
  const ports = new Set();
  let state;
  self.onconnect = ({ ports: [port] }) => {
    port.onmessage = ({ data }) => {
      if (data.ends) {
        ports.delete(port);
        return;
      }
      ports.add(port);
      if (!state) {
        state = connect(data.target, (name, value) => {
          for (const other of ports) other.postMessage({ name, value });
        });
      } else if (state()) {
        port.postMessage({ name: "open", value: null });
      }
    };
  };
}

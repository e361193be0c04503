/**
 * Run a callback in a later macrotask: a MessageChannel's turn, which a hidden page does not delay.
 *
 * @param {() => void} callback
 */
export function macrotask(callback) {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(null);
}

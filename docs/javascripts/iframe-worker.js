// A browser starts no worker for a page that is read from disk. There, what a worker would run is run in a frame that
// nobody sees, so that search works; pages from a server have real workers. (The name is what the plugin looks for.)

if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      this.ready = new Promise((resolve) => script.addEventListener("load", resolve));
      script.src = new URL(address, location.href).href;
      inside.document.head.append(script);
    }

    async postMessage(data) {
      await this.ready;
      const inside = this.frame.contentWindow;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}

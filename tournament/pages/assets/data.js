// Data of the site. Pages opened from disk may not fetch files, but they may load scripts, so each file of data is a script
// that calls site.take(name, value). In a page that holds everything, the data are in elements that are not executed.
"use strict";

const site = (() => {
  const waiting = new Map();
  const known = new Map();
  const single = document.documentElement.dataset.single === "yes";

  function take(name, value) {
    known.set(name, value);
    const settle = waiting.get(name);
    if (settle) settle.resolve(value);
  }

  function load(name) {
    if (known.has(name)) return Promise.resolve(known.get(name));
    if (single) {
      const element = document.getElementById(`data-${name}`);
      if (!element) return Promise.reject(new Error(`no data ${name}`));
      known.set(name, JSON.parse(element.textContent));
      return Promise.resolve(known.get(name));
    }
    if (!waiting.has(name)) {
      const settle = {};
      settle.promise = new Promise((resolve, reject) => Object.assign(settle, { resolve, reject }));
      waiting.set(name, settle);
      const script = document.createElement("script");
      script.src = `data/${name}.js`;
      script.addEventListener("error", () => {
        waiting.delete(name);
        settle.reject(new Error(`data/${name}.js cannot be loaded`));
      });
      document.head.append(script);
    }
    return waiting.get(name).promise;
  }

  return { take, load, single };
})();

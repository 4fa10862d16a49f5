import browser from 'webextension-polyfill';

const pauseMs = 500;

/** A line to the background: when that dies the line breaks, and a new one starts it again. */
function hold(): void {
  browser.runtime.connect({ name: 'keeper' }).onDisconnect.addListener(() => setTimeout(hold, pauseMs));
}

hold();

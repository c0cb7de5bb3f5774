/** The base path without a final slash, from the page's base element. */
export const BASE = new URL('..', document.baseURI).pathname.replace(/\/$/, '');

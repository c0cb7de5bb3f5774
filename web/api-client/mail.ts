/** Whether the server sends mails, which it writes into the page. */
export const sendsMail =
  document.querySelector<HTMLMetaElement>('meta[name=mail]')?.content === 'yes';

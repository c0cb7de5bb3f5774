/** Puts a text on the clipboard. @returns false where the browser denies it: a person can still mark and copy the text */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );

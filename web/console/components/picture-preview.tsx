import { useEffect, useState } from 'react';
import { Box } from '@mui/material';

/** A picture of a data URL. The content security policy forbids data URLs but allows an object in memory. */
export function PicturePreview({ url }: { url: string }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    const address = URL.createObjectURL(blobOf(url));
    setSource(address);
    return () => URL.revokeObjectURL(address);
  }, [url]);
  return <Box component="img" src={source} alt="" sx={{ maxHeight: 48, maxWidth: 240 }} />;
}

function blobOf(url: string): Blob {
  const base64 = url.slice(url.indexOf(',') + 1);
  return new Blob([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))]);
}

import { useEffect, useState } from 'react';

/** The quiet zone around the modules, in modules (ISO/IEC 18004). */
const MARGIN = 4;

/** A text as a QR code, black on white in every theme. The encoder loads when a code is shown. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const [modules, setModules] = useState<boolean[][]>();
  useEffect(() => {
    let isWanted = true;
    void import('qr').then(({ encodeQR }) => {
      if (isWanted) setModules(encodeQR(text, 'raw', { border: MARGIN }));
    });
    return () => {
      isWanted = false;
    };
  }, [text]);
  if (!modules) return null;
  const path = modules
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join('');
  return (
    <svg
      className="qr-code"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}

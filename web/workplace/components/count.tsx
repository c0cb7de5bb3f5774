import { type ReactNode, useState } from 'react';

/**
 * A number that can change while the page is open.
 * @param most the largest number that fits
 * @param children the number in words, for screen readers
 */
export function Count({
  value,
  most = Infinity,
  children,
}: {
  value: number;
  most?: number;
  children: ReactNode;
}) {
  const [first] = useState(value);
  return (
    // The key restarts the animation with each new number; the first one has none.
    <span key={value} className={value === first ? 'count' : 'count changed'}>
      <span aria-hidden>{value > most ? `${most}+` : value}</span>
      {children}
    </span>
  );
}

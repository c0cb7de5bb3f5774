import { type ReactNode, useState } from 'react';

/**
 * A number that can change while somebody looks at it.
 * @param most the largest number for which there is room
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
    // The key starts the animation again with each number; the first one has none.
    <span key={value} className={value === first ? 'count' : 'count changed'}>
      <span aria-hidden>{value > most ? `${most}+` : value}</span>
      {children}
    </span>
  );
}

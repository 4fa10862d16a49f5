import { Tabs } from '@mantine/core';
import { Link } from 'react-router';

interface TabLinkProps {
  value: string;
  to: string;
  /** Whether it takes the place of the address before it in the history. */
  replace?: boolean;
  children: string;
}

/** A tab that has an address of its own: a link, which a browser can also open in a new tab. */
export function TabLink({ value, children, ...link }: TabLinkProps) {
  return (
    <Tabs.Tab value={value} {...{ component: Link, ...link }}>
      {children}
    </Tabs.Tab>
  );
}

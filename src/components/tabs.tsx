// Lists that belong together, as tabs of links.

interface TabsProps {
  label: string;
  tabs: readonly { name: string; href: string; isShown: boolean }[];
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ name, href, isShown }) => (
        <a key={href} href={href} aria-current={isShown ? "page" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

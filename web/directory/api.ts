/**
 * Starts Swagger UI on its page, over this catalog's own document; it asks nobody else. Dark where the person's machine is. Its own
 * layout is a page in the page, with a second `main` and a heading out of order; this one has its parts without those, and without a choice of servers: there is this one.
 */

type Rendered = unknown;
type Component = (props: never) => Rendered;

interface System {
  readonly React: {
    createElement(
      type: string | Component,
      props: Readonly<Record<string, unknown>> | null,
      ...children: Rendered[]
    ): Rendered;
  };
}

interface LayoutProps {
  readonly getComponent: (name: string, container?: boolean) => Component;
  readonly specSelectors: { readonly loadingStatus: () => string };
}

const { SwaggerUIBundle } = globalThis as unknown as {
  readonly SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => unknown;
};

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = (): void => void document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

const layout = ({ React: { createElement } }: System) => ({
  components: {
    // A button in a button: no keyboard reaches both.
    CopyToClipboardBtn: () => null,
    PageLayout({ getComponent, specSelectors }: LayoutProps): Rendered {
      const part = (name: string): Rendered => createElement(getComponent(name, true), null);
      const status = specSelectors.loadingStatus();
      if (status !== "success") {
        const failed = status.startsWith("failed");
        return createElement(
          "p",
          { role: "status" },
          failed ? "The document could not be read." : "Reading the document…",
        );
      }
      return createElement(
        "div",
        { className: "swagger-ui" },
        createElement(getComponent("SvgAssets"), null),
        createElement("div", { className: "scheme-container" }, part("AuthorizeBtnContainer")),
        createElement("h2", { className: "operations" }, "Operations"),
        part("operations"),
      );
    },
  },
});

SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#swagger",
  plugins: [layout],
  layout: "PageLayout",
  // Its links stand within buttons.
  deepLinking: false,
  docExpansion: "list",
  defaultModelsExpandDepth: -1,
  // The badge of the validator would ask a stranger.
  validatorUrl: null,
});

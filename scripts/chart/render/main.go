// Command render renders a Helm chart with the engine that Helm uses: Go's text/template, the functions of sprig, YAML
// by sigs.k8s.io/yaml, and values validated by gojsonschema. Debian packages all of them, and not Helm.
//
// It covers the part of `helm template` that a chart without dependencies needs: values files that are merged over
// values.yaml (a null removes a default), values.schema.json with Helm's message, the objects Values, Release, Chart,
// Capabilities and Template, and the functions include, tpl, required, toYaml, fromYaml, toJson, fromJson and lookup,
// which finds nothing, as in `helm template`. It prints one JSON object: the path of each template with its text.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/xeipuuv/gojsonschema"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

// paths are the values files, in the order in which they were given.
type paths []string

func (p *paths) String() string { return strings.Join(*p, ",") }

func (p *paths) Set(value string) error {
	*p = append(*p, value)
	return nil
}

func readYaml(file string) (values, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	read := values{}
	if err := yaml.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return read, nil
}

// overlay puts values over others: mappings are merged, everything else is replaced.
func overlay(below, above values) values {
	merged := values{}
	for key, value := range below {
		merged[key] = value
	}
	for key, value := range above {
		inner, isMapping := value.(values)
		old, wasMapping := merged[key].(values)
		if isMapping && wasMapping {
			merged[key] = overlay(old, inner)
		} else {
			merged[key] = value
		}
	}
	return merged
}

// withoutNulls removes the keys that the user set to null and that the chart has a default for.
func withoutNulls(merged, defaults values) values {
	for key, standard := range defaults {
		if value, isSet := merged[key]; isSet && value == nil && standard != nil {
			delete(merged, key)
			continue
		}
		inner, isMapping := merged[key].(values)
		standards, wasMapping := standard.(values)
		if isMapping && wasMapping {
			withoutNulls(inner, standards)
		}
	}
	return merged
}

func validate(schemaFile, chart string, given values) error {
	schema, err := os.ReadFile(schemaFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	document, err := json.Marshal(given)
	if err != nil {
		return err
	}
	result, err := gojsonschema.Validate(gojsonschema.NewBytesLoader(schema), gojsonschema.NewBytesLoader(document))
	if err != nil {
		return err
	}
	if result.Valid() {
		return nil
	}
	lines := []string{}
	for _, problem := range result.Errors() {
		lines = append(lines, "- "+problem.String())
	}
	return fmt.Errorf("values don't meet the specifications of the schema(s) in the following chart(s):\n%s:\n%s",
		chart, strings.Join(lines, "\n"))
}

// apiVersions answers `.Capabilities.APIVersions.Has`.
type apiVersions []string

// Has tells whether the cluster offers an API version.
func (versions apiVersions) Has(name string) bool {
	for _, version := range versions {
		if version == name {
			return true
		}
	}
	return false
}

func execute(set *template.Template, name string, data interface{}) (string, error) {
	var text strings.Builder
	if err := set.ExecuteTemplate(&text, name, data); err != nil {
		return "", err
	}
	// A missing value is empty, as in Helm.
	return strings.ReplaceAll(text.String(), "<no value>", ""), nil
}

func functions(set *template.Template) template.FuncMap {
	library := sprig.TxtFuncMap()
	// Helm removes these two: a chart must not depend on the machine that renders it.
	delete(library, "env")
	delete(library, "expandenv")
	library["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	library["fromYaml"] = func(text string) (values, error) {
		read := values{}
		err := yaml.Unmarshal([]byte(text), &read)
		return read, err
	}
	library["toJson"] = func(value interface{}) (string, error) {
		text, err := json.Marshal(value)
		return string(text), err
	}
	library["fromJson"] = func(text string) (values, error) {
		read := values{}
		err := json.Unmarshal([]byte(text), &read)
		return read, err
	}
	library["lookup"] = func(_, _, _, _ string) values { return values{} }
	library["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	library["include"] = func(name string, data interface{}) (string, error) { return execute(set, name, data) }
	library["tpl"] = func(text string, data interface{}) (string, error) {
		clone, err := set.Clone()
		if err != nil {
			return "", err
		}
		if _, err := clone.Funcs(functions(clone)).New("tpl").Parse(text); err != nil {
			return "", err
		}
		return execute(clone, "tpl", data)
	}
	return library
}

func capitalized(metadata values) values {
	named := values{}
	for key, value := range metadata {
		named[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return named
}

func render(chart, release, namespace string, files, offered []string, isUpgrade bool) (map[string]string, error) {
	metadata, err := readYaml(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return nil, err
	}
	defaults, err := readYaml(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return nil, err
	}
	user := values{}
	for _, file := range files {
		given, err := readYaml(file)
		if err != nil {
			return nil, err
		}
		user = overlay(user, given)
	}
	merged := withoutNulls(overlay(defaults, user), defaults)
	name := fmt.Sprint(metadata["name"])
	if err := validate(filepath.Join(chart, "values.schema.json"), name, merged); err != nil {
		return nil, err
	}
	set := template.New(name).Option("missingkey=zero")
	set.Funcs(functions(set))
	names := []string{}
	err = filepath.Walk(filepath.Join(chart, "templates"), func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(chart, file)
		if err != nil {
			return err
		}
		_, err = set.New(path.Join(name, filepath.ToSlash(below))).Parse(string(text))
		names = append(names, filepath.ToSlash(below))
		return err
	})
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	rendered := map[string]string{}
	for _, below := range names {
		if strings.HasPrefix(path.Base(below), "_") {
			continue
		}
		full := path.Join(name, below)
		data := values{
			"Values": merged,
			"Chart":  capitalized(metadata),
			"Release": values{
				"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1,
				"IsInstall": !isUpgrade, "IsUpgrade": isUpgrade,
			},
			"Capabilities": values{"APIVersions": apiVersions(offered)},
			"Template":     values{"Name": full, "BasePath": path.Join(name, "templates")},
		}
		text, err := execute(set, full, data)
		if err != nil {
			return nil, err
		}
		rendered[below] = text
	}
	return rendered, nil
}

func main() {
	var files, offered paths
	release := flag.String("release", "attestry", "name of the release")
	namespace := flag.String("namespace", "default", "namespace of the release")
	isUpgrade := flag.Bool("is-upgrade", false, "render as an upgrade")
	flag.Var(&files, "values", "values file; later ones win")
	flag.Var(&offered, "api-version", "API version that the cluster offers")
	flag.Parse()
	rendered, err := render(flag.Arg(0), *release, *namespace, files, offered, *isUpgrade)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(rendered)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

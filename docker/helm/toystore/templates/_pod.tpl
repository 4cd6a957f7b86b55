{{- /* What the pods of services and frontends have in common. Each takes {root, name, service}. */ -}}

{{- define "pod.labels" }}{app.kubernetes.io/name: {{ .name }}, app.kubernetes.io/part-of: toystore}{{ end }}

{{- define "pod.security" }}
      automountServiceAccountToken: false
      enableServiceLinks: false # prevents TOYSTORE_… variables that are not settings
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        seccompProfile: {type: RuntimeDefault}
{{- end }}

{{- define "container.image" }}
          image: {{ .root.Values.image.repository }}/{{ .name }}-service:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
          resources: {{ get .root.Values.resources .name | toJson }}
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities: {drop: [ALL]}
{{- end }}

{{- define "container.env" }}
            {{- $services := .root.Files.Get "services.yaml" | fromYaml }}
            {{- $scheme := ne .root.Values.database.url "" | ternary "dns:///" "static://" }}
            {{- range .service.calls }}
            - {name: TOYSTORE_{{ upper $.name }}_{{ upper . }}_TARGET, value: "{{ $scheme }}{{ . }}:{{ (get $services .).port }}"}
            {{- end }}
            - name: TOYSTORE_ADMIN_TOKEN
              valueFrom:
                secretKeyRef: {{ dict "name" .root.Values.adminToken.secret "key" .root.Values.adminToken.key | toJson }}
            {{- range $name, $value := .root.Values.env }}
            - {name: {{ $name }}, value: {{ $value | quote }}}
            {{- end }}
{{- end }}

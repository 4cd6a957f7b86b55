{{- /* What the pods of services and frontends have in common. Each takes {root, name, service}. */ -}}

{{- define "pod.metadata" }}
      labels: {app.kubernetes.io/name: {{ .name }}, app.kubernetes.io/part-of: toystore}
      {{- with .root.Values.podAnnotations }}
      annotations: {{ toJson . }}
      {{- end }}
{{- end }}

{{- define "pod.spec" }}
      automountServiceAccountToken: false
      enableServiceLinks: false # prevents TOYSTORE_… variables that are not settings
      topologySpreadConstraints: # prefers other nodes
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {app.kubernetes.io/name: {{ .name }}}
      {{- toYaml .root.Values.pod | nindent 6 }}
{{- end }}

{{- define "container" }}
          {{- $settings := get .root.Values.services .name }}
          {{- $heap := int $settings.heapMiB }}
          image: {{ .root.Values.image.repository }}/{{ .name }}-service{{ with $settings.digest }}@{{ . }}{{ else }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ end }}
          {{- with .root.Values.image.pullPolicy }}
          imagePullPolicy: {{ . }}
          {{- end }}
          resources:
            requests: {{ merge (dict) ($settings.requests | default dict) (dict "cpu" "250m" "memory" (printf "%dMi" (add $heap 192))) | toJson }}
            limits: {{ merge (dict "memory" (printf "%dMi" (add $heap 256))) ($settings.limits | default dict) | toJson }}
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities: {drop: [ALL]}
          env:
            {{- $services := .root.Files.Get "services.yaml" | fromYaml }}
            {{- $postgresql := ne .root.Values.database.url "" }}
            {{- range .service.calls }}
            - {name: TOYSTORE_{{ upper $.name }}_{{ upper . }}_TARGET, value: "{{ $postgresql | ternary "dns:///" "static://" }}{{ . }}{{ if $postgresql }}-headless{{ end }}:{{ (get $services .).port }}"}
            {{- end }}
            - name: TOYSTORE_ADMIN_TOKEN
              valueFrom:
                secretKeyRef: {{ dict "name" .root.Values.adminToken.secret "key" .root.Values.adminToken.key | toJson }}
            - {name: HEAP, value: {{ $heap }}m}
            {{- $env := deepCopy .root.Values.env }}
            {{- range $name, $value := $settings.env }}{{ $_ := set $env $name $value }}{{ end }}
            {{- range $name, $value := $env }}
            {{- if eq $name "HEAP" }}{{ fail "env sets HEAP: set services.NAME.heapMiB instead, which also sets the memory limit" }}{{ end }}
            - {name: {{ $name }}, value: {{ kindIs "string" $value | ternary $value (toJson $value) | quote }}} # toJson: quote alone makes 2e+06 of 2000000
            {{- end }}
{{- end }}

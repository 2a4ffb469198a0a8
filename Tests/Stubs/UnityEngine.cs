// Declarations of Unity that written code uses, without bodies. https://docs.unity3d.com/2022.3/Documentation/ScriptReference
namespace UnityEngine
{
    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Vector3.html
    public struct Vector3
    {
        public static readonly Vector3 forward;
        public Vector3(float x, float y, float z) { }
    }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Quaternion.html
    public struct Quaternion
    {
        public Vector3 eulerAngles { get { return new Vector3(); } }
        public static Quaternion FromToRotation(Vector3 fromDirection, Vector3 toDirection) { return new Quaternion(); }
    }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Color.html
    public struct Color { public Color(float r, float g, float b, float a = 1) { } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/GradientColorKey.html
    public struct GradientColorKey { public GradientColorKey(Color col, float time) { } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/GradientAlphaKey.html
    public struct GradientAlphaKey { public GradientAlphaKey(float alpha, float time) { } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Gradient.html
    public class Gradient { public void SetKeys(GradientColorKey[] colorKeys, GradientAlphaKey[] alphaKeys) { } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Keyframe.html
    public struct Keyframe { public Keyframe(float time, float value, float inTangent, float outTangent) { } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/AnimationCurve.html
    public class AnimationCurve
    {
        public AnimationCurve(params Keyframe[] keys) { }
        public static AnimationCurve Linear(float timeStart, float valueStart, float timeEnd, float valueEnd) { return null; }
    }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Material.html
    public class Material { }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Component.html
    public class Component { public Transform transform { get { return null; } } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/Transform.html
    public class Transform : Component { public void SetParent(Transform parent, bool worldPositionStays) { } }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/GameObject.html
    public class GameObject
    {
        public GameObject(string name) { }
        public Transform transform { get { return null; } }
        public T AddComponent<T>() where T : Component { return null; }
        public T GetComponent<T>() { return default(T); }
    }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemStopBehavior.html
    public enum ParticleSystemStopBehavior { StopEmittingAndClear, StopEmitting }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemSimulationSpace.html
    public enum ParticleSystemSimulationSpace { Local, World, Custom }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemShapeType.html
    public enum ParticleSystemShapeType { Sphere, Cone, Box, Circle }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemAnimationTimeMode.html
    public enum ParticleSystemAnimationTimeMode { Lifetime, Speed, FPS }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemTrailMode.html
    public enum ParticleSystemTrailMode { PerParticle, Ribbon }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemSubEmitterType.html
    public enum ParticleSystemSubEmitterType { Birth, Collision, Death, Trigger, Manual }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemSubEmitterProperties.html
    [System.Flags]
    public enum ParticleSystemSubEmitterProperties
    {
        InheritNothing = 0, InheritEverything = 31, InheritColor = 1, InheritSize = 2, InheritRotation = 4,
        InheritLifetime = 8, InheritDuration = 16
    }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemRenderMode.html
    public enum ParticleSystemRenderMode { Billboard, Stretch, HorizontalBillboard, VerticalBillboard, Mesh, None }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystemRenderer.html
    public class ParticleSystemRenderer : Component
    {
        public Material material { get; set; }
        public Material trailMaterial { get; set; }
        public ParticleSystemRenderMode renderMode { get; set; }
        public float velocityScale { get; set; }
        public float lengthScale { get; set; }
    }

    // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.html
    public class ParticleSystem : Component
    {
        public void Play() { }
        public void Stop(bool withChildren, ParticleSystemStopBehavior stopBehavior) { }
        public MainModule main { get { return new MainModule(); } }
        public EmissionModule emission { get { return new EmissionModule(); } }
        public ShapeModule shape { get { return new ShapeModule(); } }
        public ForceOverLifetimeModule forceOverLifetime { get { return new ForceOverLifetimeModule(); } }
        public LimitVelocityOverLifetimeModule limitVelocityOverLifetime { get { return new LimitVelocityOverLifetimeModule(); } }
        public RotationOverLifetimeModule rotationOverLifetime { get { return new RotationOverLifetimeModule(); } }
        public SizeOverLifetimeModule sizeOverLifetime { get { return new SizeOverLifetimeModule(); } }
        public ColorOverLifetimeModule colorOverLifetime { get { return new ColorOverLifetimeModule(); } }
        public NoiseModule noise { get { return new NoiseModule(); } }
        public TextureSheetAnimationModule textureSheetAnimation { get { return new TextureSheetAnimationModule(); } }
        public TrailModule trails { get { return new TrailModule(); } }
        public SubEmittersModule subEmitters { get { return new SubEmittersModule(); } }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.MinMaxCurve.html
        public struct MinMaxCurve
        {
            public MinMaxCurve(float min, float max) { }
            public MinMaxCurve(float multiplier, AnimationCurve curve) { }
            public static implicit operator MinMaxCurve(float constant) { return new MinMaxCurve(); }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.MinMaxGradient.html
        public struct MinMaxGradient
        {
            public static implicit operator MinMaxGradient(Color color) { return new MinMaxGradient(); }
            public static implicit operator MinMaxGradient(Gradient gradient) { return new MinMaxGradient(); }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.Burst.html
        public struct Burst
        {
            public Burst(float time, MinMaxCurve count, int cycleCount, float repeatInterval) { }
            public float probability { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.MainModule.html
        public struct MainModule
        {
            public float duration { set { } }
            public bool loop { set { } }
            public MinMaxCurve startDelay { set { } }
            public float simulationSpeed { set { } }
            public ParticleSystemSimulationSpace simulationSpace { set { } }
            public int maxParticles { set { } }
            public MinMaxCurve startLifetime { set { } }
            public MinMaxCurve startSpeed { set { } }
            public MinMaxCurve startSize { set { } }
            public MinMaxCurve startRotation { set { } }
            public MinMaxGradient startColor { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.EmissionModule.html
        public struct EmissionModule
        {
            public MinMaxCurve rateOverTime { set { } }
            public void SetBursts(Burst[] bursts) { }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.ShapeModule.html
        public struct ShapeModule
        {
            public ParticleSystemShapeType shapeType { set { } }
            public Vector3 position { set { } }
            public Vector3 rotation { set { } }
            public Vector3 scale { set { } }
            public float radius { set { } }
            public float arc { set { } }
            public float angle { set { } }
            public float randomDirectionAmount { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.ForceOverLifetimeModule.html
        public struct ForceOverLifetimeModule
        {
            public bool enabled { set { } }
            public ParticleSystemSimulationSpace space { set { } }
            public MinMaxCurve x { set { } }
            public MinMaxCurve y { set { } }
            public MinMaxCurve z { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.LimitVelocityOverLifetimeModule.html
        public struct LimitVelocityOverLifetimeModule
        {
            public bool enabled { set { } }
            public MinMaxCurve limit { set { } }
            public MinMaxCurve drag { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.RotationOverLifetimeModule.html
        public struct RotationOverLifetimeModule
        {
            public bool enabled { set { } }
            public MinMaxCurve z { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.SizeOverLifetimeModule.html
        public struct SizeOverLifetimeModule
        {
            public bool enabled { set { } }
            public MinMaxCurve size { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.ColorOverLifetimeModule.html
        public struct ColorOverLifetimeModule
        {
            public bool enabled { set { } }
            public MinMaxGradient color { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.NoiseModule.html
        public struct NoiseModule
        {
            public bool enabled { set { } }
            public bool damping { set { } }
            public MinMaxCurve strength { set { } }
            public float frequency { set { } }
            public MinMaxCurve scrollSpeed { set { } }
            public int octaveCount { set { } }
            public float octaveMultiplier { set { } }
            public float octaveScale { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.TextureSheetAnimationModule.html
        public struct TextureSheetAnimationModule
        {
            public bool enabled { set { } }
            public int numTilesX { set { } }
            public int numTilesY { set { } }
            public ParticleSystemAnimationTimeMode timeMode { set { } }
            public MinMaxCurve frameOverTime { set { } }
            public MinMaxCurve startFrame { set { } }
            public float fps { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.TrailModule.html
        public struct TrailModule
        {
            public bool enabled { set { } }
            public ParticleSystemTrailMode mode { set { } }
            public MinMaxCurve lifetime { set { } }
            public bool dieWithParticles { set { } }
            public bool sizeAffectsWidth { set { } }
            public bool inheritParticleColor { set { } }
            public MinMaxCurve widthOverTrail { set { } }
            public MinMaxGradient colorOverTrail { set { } }
        }

        // https://docs.unity3d.com/2022.3/Documentation/ScriptReference/ParticleSystem.SubEmittersModule.html
        public struct SubEmittersModule
        {
            public bool enabled { set { } }
            public void AddSubEmitter(
                ParticleSystem subEmitter, ParticleSystemSubEmitterType type,
                ParticleSystemSubEmitterProperties properties, float emitProbability) { }
        }
    }
}
